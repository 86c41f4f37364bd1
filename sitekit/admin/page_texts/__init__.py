"""Changed texts of public pages: records, service."""
