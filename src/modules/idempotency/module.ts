import { idempotencyMismatch } from '../../kernel/call/idempotency-key.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { migrations } from './migrations.ts';
import { pruneResponses, correctInstants } from './response-rows.ts';
import { runOnceWith } from './run-once.ts';
import { storedResponses } from './stored-responses.ts';

export const idempotencyModule = defineModule({
  name: 'idempotency',
  summary: 'Repeated requests with an Idempotency-Key change nothing twice',
  addon: false,
  errors: [idempotencyMismatch],
  jobs: [pruneResponses],
  migrations,
  correctInstants,
  runOnce: runOnceWith(storedResponses),
});
