// The table's API, as a page needs it.

const csrf = document.querySelector('meta[name="csrf"]')?.content || "";

export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || "The server did not say why.");
    this.status = status;
    this.clause = problem.clause || "";
    this.problem = problem;
  }
}

/** Send JSON, or a form's fields as they are. Resolves to the answer; rejects with a Refused that says why. */
export async function post(path, body = {}) {
  let answer;
  const fields = body instanceof URLSearchParams;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { accept: "application/json", "x-csrftoken": csrf, ...(!fields && { "content-type": "application/json" }) },
      body: fields ? body : JSON.stringify(body),
    });
  } catch {
    throw new Refused(0, { detail: "The table cannot be reached just now. Nothing was sent." });
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, said);
  return said;
}
