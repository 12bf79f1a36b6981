# Caddy for a user without rights, with a folder for its certificates that this user may write.
FROM caddy:2-alpine@sha256:5f5c8640aae01df9654968d946d8f1a56c497f1dd5c5cda4cf95ab7c14d58648
RUN mkdir /certificates && chown 1000:1000 /certificates
USER 1000:1000
