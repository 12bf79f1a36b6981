import Type from 'typebox';
import { Answer, operation } from '../../kernel/operation.ts';

export const getMetrics = operation({
  method: 'GET',
  namespace: 'site',
  path: '/metrics',
  summary: 'Figures for Prometheus',
  description:
    'Open to callers on the machine itself; others sign in as an admin (HTTP Basic with an ' +
    'application password).',
  access: 'admin',
  trustLoopback: true,
  scope: null,
  response: Type.String(),
  async handle({ site }) {
    return new Answer(await site.metrics.metrics(), {
      headers: { 'Content-Type': site.metrics.contentType },
    });
  },
});
