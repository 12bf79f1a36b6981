# The build needs every package of the lock file; the image has Node, dist/ and the packages that run.
FROM node:26-bookworm-slim@sha256:367679cf9792759492a486e4aa4b421764d71a9546a6dae8aab81a99eb797b3e AS build

WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.types.json ./
COPY sdk ./sdk
RUN npm ci --ignore-scripts
# docker exec CONTAINER ./tributary …, as in a checkout.
COPY tributary ./
COPY bin ./bin
COPY scripts/*.js ./scripts/
COPY docs ./docs
COPY src ./src
COPY addons ./addons
COPY texts ./texts
COPY web ./web
# The client of the workspace is part of the build.
RUN npm run build && npm ci --omit=dev --ignore-scripts && rm node_modules/tributary-client

FROM node:26-bookworm-slim@sha256:367679cf9792759492a486e4aa4b421764d71a9546a6dae8aab81a99eb797b3e

ENV NODE_ENV=production \
    TRIBUTARY_DATA=/data \
    TRIBUTARY_HOST=0.0.0.0

WORKDIR /app
COPY package.json LICENSE ./
# docker exec CONTAINER ./tributary …, as in a checkout.
COPY tributary ./
COPY bin ./bin
COPY --from=build /app/dist ./dist
COPY --from=build /app/node_modules ./node_modules

RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 8443
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s CMD ["node", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED='0';const s=process.env.TRIBUTARY_TLS==='off'?'http':'https';fetch(s+'://127.0.0.1:'+(process.env.TRIBUTARY_PORT??8443)+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "bin/tributary.js", "start"]
