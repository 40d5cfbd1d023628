"""What pupils learnt: facts of the log become evidence, evidence becomes reports."""
