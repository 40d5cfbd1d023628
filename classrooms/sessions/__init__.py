"""Sessions: lobby, people, seating into tables, running them together."""
