"""Analysis of command lines: lexer, syntax errors, issues."""
