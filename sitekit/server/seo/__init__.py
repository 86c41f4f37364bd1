"""What search engines read: meta tags, JSON-LD, the sitemap."""
