#!/bin/bash
# A registry of the lab with a certificate of its own, which the nodes trust as a site's machines trust the site's.
#
#   registry.sh ADDRESS:PORT
set -euo pipefail
at=$1
folder=/srv/lab/registry

mkdir "${folder}"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=${at%:*}" -addext "subjectAltName=IP:${at%:*}" \
  -keyout "${folder}/key.pem" -out "${folder}/ca.crt" 2>/dev/null
mkdir -p "/etc/docker/certs.d/${at}" /etc/ssl/certs
cp "${folder}/ca.crt" "/etc/docker/certs.d/${at}/"
cat "${folder}/ca.crt" >>/etc/ssl/certs/ca-certificates.crt
cat >"${folder}/config.yml" <<SETTINGS
version: 0.1
log: {level: warn}
storage: {filesystem: {rootdirectory: ${folder}/data}}
http: {addr: "${at}", tls: {certificate: ${folder}/ca.crt, key: ${folder}/key.pem}}
SETTINGS
setsid docker-registry serve "${folder}/config.yml" </dev/null >"${folder}/log" 2>&1 &
until (: <"/dev/tcp/${at/:/\/}") 2>/dev/null; do
  kill -0 $! || { cat "${folder}/log" >&2 && exit 1; }
  sleep 0.1
done
