#!/bin/sh
# Installs and assembles the portal in the checkout that contains this file, into a folder that needs nothing else. The image
# and its test run exactly this.
set -eu
cd -- "$(dirname -- "$0")/../.."
npm ci --include=dev --no-audit --no-fund --loglevel=error
npm run assemble -- server --out "$1"
