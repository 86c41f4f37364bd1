"""The commands of docs/deploy.md that `make guide` cannot run, each with the reason."""

_COMPOSE = "docker compose -f deploy/compose.yaml --env-file deploy/.env"
_DOCKER = "needs Docker; 'make image-check' runs what the image and the compose file say"
_LOOK = "only shows something of a machine with systemd as its first process"

NOT_RUN = {
    f"{_COMPOSE} exec first .venv/bin/python -m advisory_site COMMAND": _DOCKER,
    f"{_COMPOSE} up -d --build": _DOCKER,
    "docker compose -f deploy/compose.yaml logs first second | grep 'First admin'": _DOCKER,
    f"{_COMPOSE} run --rm backup": _DOCKER,
    f"{_COMPOSE} run --rm backup .venv/bin/python -m advisory_site rehearse": _DOCKER,
    f"{_COMPOSE} --profile copies up -d wal": _DOCKER,
    f"{_COMPOSE} exec wal /northstrait-wal base /var/lib/postgresql/data": _DOCKER,
    "deploy/release-containers": _DOCKER,
    "deploy/release-containers --back": _DOCKER,
    "docker image prune": _DOCKER,
    "docker compose ps": _DOCKER,
    """for phase in http_request_cache_settings http_response_headers_transform; do
  jq ".$phase" deploy/cloudflare.json | curl --fail -X PUT -H "Authorization: Bearer $TOKEN" --json @- \\
    "https://api.cloudflare.com/client/v4/zones/$ZONE/rulesets/phases/$phase/entrypoint"
done""": "needs a zone at Cloudflare",
    "systemctl enable --now nftables": "the rules are for machines beside each other; this is one",
    "curl -m 3 http://10.0.0.11:3000/healthz": "the same",
    "northstrait COMMAND": "stands for all commands",
    "mv /opt/northstrait /opt/northstrait-0 && ln -s /opt/northstrait-0 /opt/northstrait": (
        "for a site that was installed before deploy/release was there"
    ),
    "systemctl edit northstrait-backup": "opens an editor",
    "systemctl status": _LOOK,
    "journalctl -k": _LOOK,
    "journalctl --vacuum-size=200M": _LOOK,
    "df -h": _LOOK,
    "fuser -v": "names no file by itself",
}
