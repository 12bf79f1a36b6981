import { Counter, Gauge } from 'prom-client';
import { defineModule } from '../../kernel/module.ts';
import { migrations } from './migrations.ts';
import { invalidUser, userExists } from './new-user.ts';
import { passwordQueue, passwordsBusy } from './password.ts';

export const usersModule = defineModule({
  name: 'users',
  summary: 'People and their roles',
  addon: false,
  errors: [userExists, invalidUser, passwordsBusy],
  migrations,
  async open({ metrics }) {
    new Counter({
      name: 'tributary_password_hashes_total',
      help: 'Passwords that were hashed, to be stored or to be checked.',
      registers: [metrics],
      collect() {
        this.reset();
        this.inc(passwordQueue.startedCount);
      },
    });
    new Gauge({
      name: 'tributary_password_hashes_waiting',
      help: 'Passwords that wait to be hashed.',
      registers: [metrics],
      collect() {
        this.set(passwordQueue.waitingCount);
      },
    });
  },
});
