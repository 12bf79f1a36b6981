import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { freeEdition } from '../src/edition-free.ts';
import { ApiError, defineError, generalErrors } from '../src/kernel/declare/errors.ts';
import { HttpResponse } from '../src/kernel/declare/http-response.ts';
import { defineModule } from '../src/kernel/declare/module.ts';
import { operation, type Namespace } from '../src/kernel/declare/operation.ts';
import { openTestApp } from './support/harness.ts';

const conflict = defineError('try_out_conflict', 409, 'For tests.');

/** Responds as the request asks, regardless of the declared contract. */
const answering = (namespace: Namespace, path: string, declares: boolean) =>
  operation({
    method: 'GET',
    namespace,
    path,
    summary: 'For tests',
    access: 'public',
    scope: null,
    query: Type.Object({ answer: Type.String() }),
    response: Type.Object({ ok: Type.Boolean() }),
    errors: declares ? [conflict, generalErrors.notFound] : [],
    ...(declares && { otherStatus: 202 }),
    handle(_context, { answer }) {
      if (answer === 'conflict') throw new ApiError(conflict);
      if (answer === 'not found') throw new ApiError(generalErrors.notFound);
      return new HttpResponse({ ok: true }, { status: Number(answer) });
    },
  });

const tryOut = defineModule({
  name: 'try-out',
  summary: 'For tests',
  addon: false,
  errors: [conflict],
  operations: [
    answering('store', '/declared', true),
    answering('store', '/undeclared', false),
    answering('site', '/declared', true),
    answering('site', '/undeclared', false),
  ],
});

const app = await openTestApp({ modules: [...freeEdition, tryOut] });

for (const prefix of ['/svc/store/v1', '~']) {
  describe(`the harness, under ${prefix}`, () => {
    for (const answer of ['200', '202', 'conflict', 'not found']) {
      test(`accepts a declared response: ${answer}`, async () => {
        await app.call(`${prefix}/declared?${new URLSearchParams({ answer }).toString()}`);
      });
    }

    for (const answer of ['202', 'conflict', 'not found']) {
      test(`fails a test that gets an undeclared response: ${answer}`, async () => {
        const query = new URLSearchParams({ answer }).toString();
        await assert.rejects(app.call(`${prefix}/undeclared?${query}`), /which is not declared/);
      });
    }
  });
}
