"""The pages as children and teachers use them, in the system's Chromium."""
