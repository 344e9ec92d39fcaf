"""In place of a step of the example's: nothing has to be done here."""
