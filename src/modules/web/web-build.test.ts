import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../kernel/declare/errors.ts';
import { readManifest } from './web-build.ts';

test('without a build the error has status 503 and says what to do', () => {
  assert.throws(
    () => readManifest(new URL('./no-such-folder/', import.meta.url)),
    (error) =>
      error instanceof ApiError &&
      error.definition.status === 503 &&
      error.message === 'The web app is not built: run npm run build.',
  );
});
