# Caddy for a user without rights, with a folder for its certificates that this user may write.
FROM caddy:2-alpine
RUN mkdir /certificates && chown 1000:1000 /certificates
USER 1000:1000
