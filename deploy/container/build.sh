#!/bin/sh
# Installs and assembles the portal from the checkout that contains this file, in a folder that needs nothing else. The
# image and its test both run exactly this script.
set -eu
cd -- "$(dirname -- "$0")/../.."
npm ci --include=dev --no-audit --no-fund --loglevel=error
npm run assemble -- server --out "$1"
