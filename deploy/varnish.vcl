vcl 4.1;

# Varnish 7 as a shared cache: readers -> TLS (Caddy, hitch, a CDN) -> Varnish -> the site, or the proxy of its backends.
# docs/deploy.md, "A CDN or Varnish in front", says how it is started. The site needs
#   ADVISORY_SHARED_CACHE=on ADVISORY_PURGE_URL=http://127.0.0.1:6081/purge-cache ADVISORY_PURGE_TOKEN=...
# and Varnish the same token in its environment: PURGE_TOKEN=...

import std;

backend site {
	.host = "127.0.0.1";
	.port = "3000";
	.connect_timeout = 1s;
	.first_byte_timeout = 30s;
	.probe = {
		.url = "/healthz";
		.interval = 2s;
		.timeout = 2s;
		.window = 2;
		.threshold = 1;
		.initial = 1;
	}
}

sub vcl_recv {
	if (req.restarts == 0) {
		unset req.http.X-Public;
	}
	if (req.url == "/purge-cache" && req.method == "POST") {
		if (std.getenv("PURGE_TOKEN") == "" || req.http.Authorization != "Bearer " + std.getenv("PURGE_TOKEN")) {
			return (synth(403, "Forbidden"));
		}
		ban("obj.http.Surrogate-Key == " + req.http.Surrogate-Key);
		return (synth(200, "Purged"));
	}
	if (req.http.Upgrade ~ "(?i)websocket") {
		return (pipe);
	}
	# For a proxy before Varnish, which answers also while the site is down.
	if (req.url == "/healthz") {
		return (synth(200, "OK"));
	}
	# Internal endpoints are not public.
	if (req.url ~ "^/(readyz|metrics|ping|_health)(\?|$)") {
		return (synth(404, "Not found"));
	}
	if ((req.method != "GET" && req.method != "HEAD") || req.url ~ "^/(admin|auth|preview|_event|_upload)(/|\?|$)") {
		return (pass);
	}
	set req.http.X-Public = "1";

	# Who has chosen a theme, or uses the back office, gets pages from the site itself, as long as it answers.
	std.collect(req.http.Cookie, "; ");
	if (req.http.Cookie ~ "(^|;)\s*(theme=(light|dark)|uncached=1)\s*(;|$)"
		&& req.url !~ "^/(assets|fonts|media)/" && req.restarts == 0 && std.healthy(req.backend_hint)) {
		return (pass);
	}
	# No other cookie changes a page.
	unset req.http.Cookie;

	# What campaigns add to a query selects nothing: first those that follow another parameter, then those at the start.
	if (req.url ~ "^[^?&]*\?") {
		set req.url = regsuball(req.url, "(?i)&((utm|mc)_[^=&]*|fbclid|gclid|msclkid|li_fat_id|igshid)(=[^&]*)?(?=&|$)", "");
		set req.url = regsub(req.url, "(?i)\?((utm|mc)_[^=&]*|fbclid|gclid|msclkid|li_fat_id|igshid)(=[^&]*)?(&|$)", "?");
	}
	# A query selects a page only if all its parameters are filters of a list; the site ignores any other. Otherwise each
	# address would be another page to fetch.
	if (req.url !~ "^[^?]*\?(sector|country|stage|field|topic|page)=[^&]+(&(sector|country|stage|field|topic|page)=[^&]+)*$"
		&& req.url !~ "^/\?email=confirmed$") {
		set req.url = regsub(req.url, "\?.*$", "");
	}
	set req.url = std.querysort(req.url);

	# With the parameter http_gzip_support=off Varnish keeps pages as the site has compressed them.
	if (req.http.Accept-Encoding ~ "\bbr\b") {
		set req.http.Accept-Encoding = "br";
	} elsif (req.http.Accept-Encoding ~ "\bgzip\b") {
		set req.http.Accept-Encoding = "gzip";
	} else {
		unset req.http.Accept-Encoding;
	}

	# How old a page may be: stale-while-revalidate, and stale-if-error.
	if (req.restarts == 0 && std.healthy(req.backend_hint)) {
		set req.grace = 600s;
	} else {
		set req.grace = 24h;
	}
}

sub vcl_pipe {
	set bereq.http.Upgrade = req.http.Upgrade;
	set bereq.http.Connection = req.http.Connection;
}

sub vcl_backend_response {
	# An error replaces no page that is kept, and is not kept itself.
	if (beresp.status >= 500 && bereq.is_bgfetch) {
		return (abandon);
	}
	if (beresp.status >= 500 && !bereq.uncacheable) {
		set beresp.ttl = 0s;
		set beresp.grace = 0s;
		return (deliver);
	}
	if (beresp.http.Cache-Control ~ "s-maxage") {
		set beresp.grace = 24h;
		# One request of many readers.
		unset beresp.http.X-Request-Id;
	}
}

sub vcl_backend_error {
	if (bereq.is_bgfetch) {
		return (abandon);
	}
	set beresp.ttl = 0s;
	set beresp.grace = 0s;
	set beresp.http.Retry-After = "2";
	set beresp.http.Cache-Control = "no-store";
	set beresp.http.Content-Type = "text/plain; charset=utf-8";
	set beresp.body = "We will be back in a moment. Please reload the page.";
	return (deliver);
}

sub vcl_deliver {
	# Instead of an error, a page that is kept, if there is one.
	if (resp.status >= 500 && req.restarts == 0 && req.http.X-Public) {
		return (restart);
	}
	# Browsers ask at each visit; a directive for shared caches could let them show a page ten minutes later.
	if (resp.http.Cache-Control ~ "s-maxage") {
		set resp.http.Cache-Control = "no-cache";
		set resp.http.Vary = "Accept-Encoding, Cookie";
		unset resp.http.Age;
	}
	if (obj.hits > 0 && !resp.http.Cache-Status) {
		set resp.http.Cache-Status = "varnish; hit";
	}
	unset resp.http.Surrogate-Key;
	unset resp.http.Cache-Tag;
	unset resp.http.X-Varnish;
	unset resp.http.Via;
}
