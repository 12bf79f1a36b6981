import { counter, defineMetrics, gauge } from '../../kernel/declare/metric.ts';
import { passwordQueue } from './password.ts';

export const passwordMetrics = defineMetrics(
  {
    hashed: counter(
      'tributary_password_hashes_total',
      'Passwords that were hashed, to be stored or to be checked.',
    ),
    waiting: gauge('tributary_password_hashes_waiting', 'Passwords that wait to be hashed.'),
  },
  () => ({ hashed: passwordQueue.startedCount, waiting: passwordQueue.waitingCount }),
);
