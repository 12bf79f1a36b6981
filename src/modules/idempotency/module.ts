import { idempotencyMismatch } from '../../kernel/call/idempotency.ts';
import { defineModule } from '../../kernel/declare/module.ts';
import { bindAnswers } from './bind-answers.ts';
import { keptAnswers } from './kept-answers.ts';
import { migrations } from './migrations.ts';
import { pruneAnswers } from './prune-answers.ts';
import { correctAnswers } from './answer-store.ts';

export const idempotencyModule = defineModule({
  name: 'idempotency',
  summary: 'Repeated requests with an Idempotency-Key change nothing twice',
  addon: false,
  errors: [idempotencyMismatch],
  jobs: [pruneAnswers],
  migrations,
  bindSecrets: bindAnswers,
  correctInstants: correctAnswers,
  keptAnswers,
});
