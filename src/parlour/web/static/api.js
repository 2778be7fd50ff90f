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

/** Send JSON to `/api/tables/SLUG/…`. Resolves to the answer; rejects with a Refused that says why. */
export async function post(path, body = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "x-csrftoken": csrf },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refused(0, { detail: "The table cannot be reached just now. Nothing was sent." });
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, said);
  return said;
}
