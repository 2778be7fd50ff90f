"""The server's face: the JSON API, the pages, the streams."""
