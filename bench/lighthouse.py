"""Runs Lighthouse on every public page, mobile and desktop; reports the median of several runs."""

import json
import os
import subprocess
from typing import Any

from bench.page_loads import EXECUTABLE, PAGES
from bench.servers import BIN, ROOT

PROGRAM = ROOT / "bench" / "node_modules" / "lighthouse" / "cli" / "index.js"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
RUNS = 3
TIMES = ("largest-contentful-paint", "total-blocking-time", "mainthread-work-breakdown", "cumulative-layout-shift")


def examine(port: int, paths: list[str], bare: int | None) -> None:
    """Print the score of each category, and the audits that lower it; for some pages also the times of the bare one."""
    if not PROGRAM.exists():
        print("\nLighthouse is not installed: 'npm ci' in bench/ brings it.")
        return
    print("\nLighthouse: the score of each category; LCP, blocking time, main thread in milliseconds, layout shift")
    worst: dict[str, tuple[float, float]] = {}
    for path in paths:
        for device in ("mobile", "desktop"):
            report = _median_report(f"http://localhost:{port}{path}", device)
            scores = " ".join(f"{(c['score'] or 0) * 100:.0f}" for c in report["categories"].values())
            audits = report["audits"]
            lcp, blocked, busy, shift = (audits[name]["numericValue"] for name in TIMES)
            print(f"{path:30} {device:8} {scores:16} {lcp:5.0f} {blocked:4.0f} {busy:4.0f} {shift:.3f}", flush=True)
            if bare and path in PAGES:
                audits_of_bare = _median_report(f"http://localhost:{bare}{path}", device)["audits"]
                told = [audits_of_bare[name]["numericValue"] for name in TIMES]
                print(f"{'    bare':56} {told[0]:5.0f} {told[1]:4.0f} {told[2]:4.0f} {told[3]:.3f}", end="")
                print(f"; of it: LCP {lcp / told[0]:.2f}, main thread {busy / told[2]:.2f}", flush=True)
            slowest, busiest = worst.get(device, (0.0, 0.0))
            worst[device] = max(slowest, lcp), max(busiest, blocked)
            for category in report["categories"].values():
                for part in category["auditRefs"]:
                    score = audits[part["id"]]["score"]
                    if part["weight"] and score is not None and score < 0.9:
                        print(f"    {category['id']}: {part['id']} {audits[part['id']].get('displayValue', '')}")

    for device, (lcp, blocked) in worst.items():
        print(f"{device}: largest paint at most {lcp:.0f} ms, blocking at most {blocked:.0f} ms")


def _median_report(url: str, device: str) -> dict[str, Any]:
    return sorted((_report(url, device) for _ in range(RUNS)), key=_performance)[RUNS // 2]


def _performance(report: dict[str, Any]) -> float:
    return report["categories"]["performance"]["score"] or 0


def _report(url: str, device: str) -> dict[str, Any]:
    command = [str(BIN / "node"), str(PROGRAM), url, "--output=json", "--quiet"]
    command += [f"--only-categories={','.join(CATEGORIES)}", "--chrome-flags=--headless=new --no-sandbox --disable-gpu"]
    command += ["--preset=desktop"] if device == "desktop" else []
    for _ in range(3):  # Lighthouse sometimes loses the browser's trace and asks to be run again
        done = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"CHROME_PATH": EXECUTABLE or ""}
        )
        if not done.returncode:
            report: dict[str, Any] = json.loads(done.stdout)
            return report
    raise SystemExit(f"Lighthouse failed: {done.stderr[-500:]}")
