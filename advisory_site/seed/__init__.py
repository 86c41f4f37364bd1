"""The demo firm: companies, team, advisors."""
