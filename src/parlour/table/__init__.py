"""The server's inside: tables, seats, the log, windows, clocks, undo, talk, bots and their storage."""
