"""The files in storage accounts: listed, copied, compared, removed."""
