import Type from 'typebox';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { sameSecret } from '../../shared/secrets.ts';
import { metricsText } from './collect-metrics.ts';

export const getMetrics = operation({
  method: 'GET',
  namespace: 'site',
  path: '/metrics',
  summary: 'Get metrics for Prometheus',
  description:
    'Requires the token of TRIBUTARY_METRICS_TOKEN (Authorization: Bearer), or a request from the ' +
    'same machine if TRIBUTARY_METRICS is loopback. Without either setting the route does not ' +
    'exist.',
  access: 'guarded',
  guard: ({ metricsAccess: { token, isOpenToMachine } }, request) => {
    if (isOpenToMachine && request.isLocal) return 'allow';
    if (token === '') return 'hide';
    return request.token !== undefined && sameSecret(request.token, token) ? 'allow' : 'deny';
  },
  scope: null,
  response: Type.String(),
  async handle({ site }) {
    return new HttpResponse(await metricsText(site), {
      headers: { 'Content-Type': site.metrics.contentType },
    });
  },
});
