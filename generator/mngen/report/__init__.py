"""Reports: functions of a list of diagnostics. One module per form: text, JSON, GitHub annotations, SARIF."""
