"""Playtesting: bots at the table, a great many times, and what the numbers can bear."""
