"""The top floor over HTTP: accounts, classes, sessions, joining, reports."""
