import Type from 'typebox';
import { HttpResponse } from '../../kernel/declare/http-response.ts';
import { operation } from '../../kernel/declare/operation.ts';
import { sameSecret } from '../../shared/secrets.ts';
import { metricsText } from './collect-metrics.ts';

export const getMetrics = operation({
  method: 'GET',
  namespace: 'site',
  path: '/metrics',
  summary: 'Figures for Prometheus',
  description:
    'For those who send the token that TRIBUTARY_METRICS_TOKEN sets (Authorization: Bearer), and for ' +
    'processes on the machine itself where TRIBUTARY_METRICS is loopback. With neither it does not ' +
    'exist.',
  access: 'door',
  door: ({ metricsAccess: { token, isOpenToMachine } }, request) => {
    if (isOpenToMachine && request.isLocal) return 'open';
    if (token === '') return 'absent';
    return request.token !== undefined && sameSecret(request.token, token) ? 'open' : 'locked';
  },
  scope: null,
  response: Type.String(),
  async handle({ site }) {
    return new HttpResponse(await metricsText(site), {
      headers: { 'Content-Type': site.metrics.contentType },
    });
  },
});
