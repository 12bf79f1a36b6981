import { idempotencyMismatch } from '../../kernel/call/idempotency-key.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { bindResponses } from './bind-responses.ts';
import { migrations } from './migrations.ts';
import { pruneResponses } from './prune-responses.ts';
import { correctInstants } from './response-store.ts';
import { runOnceWith } from './run-once.ts';
import { storedResponses } from './stored-responses.ts';
import { tables } from './tables.ts';

export const idempotencyModule = defineModule({
  name: 'idempotency',
  summary: 'Repeated requests with an Idempotency-Key change nothing twice',
  addon: false,
  errors: [idempotencyMismatch],
  jobs: [pruneResponses],
  tables,
  migrations,
  bindSecrets: bindResponses,
  correctInstants,
  runOnce: runOnceWith(storedResponses),
});
