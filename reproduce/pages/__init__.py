"""What the page says of the stored results: texts, tables, checks, reasons and figures."""
