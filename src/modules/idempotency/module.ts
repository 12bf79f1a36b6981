import { creating } from '../../db/create-tables.ts';
import { idempotencyMismatch } from '../../kernel/call/idempotency-key.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { pruneResponses, correctInstants } from './response-rows.ts';
import { runOnceWith } from './run-once.ts';
import { storedResponses } from './stored-responses.ts';
import { tables } from './tables.ts';

export const idempotencyModule = defineModule({
  name: 'idempotency',
  summary: 'Repeated requests with an Idempotency-Key change nothing twice',
  addon: false,
  errors: [idempotencyMismatch],
  jobs: [pruneResponses],
  migrations: [creating('idempotency/0001-baseline', tables)],
  correctInstants,
  runOnce: runOnceWith(storedResponses),
});
