import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestApp, refusal } from '../../../test/support/harness.ts';
import { outbox } from '../../../test/support/outbox.ts';

const app = await openTestApp({ config: { web: 'off' } });

describe('TRIBUTARY_WEB=off', () => {
  const pages = [
    'GET /',
    'GET /apply',
    'POST /apply',
    'GET /apply/status',
    'POST /apply/status',
    'GET /setup',
    'POST /setup',
    'POST /setup/step',
    'GET /app',
    'GET /app/money',
    'GET /console',
    'GET /console/orders',
    'GET /app/login',
    'GET /app/forgot',
    'GET /app/reset',
    'GET /app/invitation',
    'GET /app/confirm-email',
    'GET /app/files/public-ABCDEFGH.css',
  ];
  for (const page of pages) {
    test(`404: ${page}, like an unknown path`, async () => {
      const [method, path] = page.split(' ') as [string, string];
      assert.equal(refusal(await app.call(`~${path}`, { method })), '404 rest_no_route');
    });
  }

  test('the APIs, the reference and signing in stay', async () => {
    for (const path of ['~/docs', '~/page.css', '~/healthz', '~/t.js', '/openapi']) {
      assert.equal((await app.call(path)).status, 200, path);
    }
    assert.ok((await app.signIn('admin')).cookie);
  });

  test('an error page links to no page that does not exist', async () => {
    const { status, text } = await app.call('~/app/money', { headers: { accept: 'text/html' } });
    assert.equal(status, 404);
    assert.match(text, /Page not found/);
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);
    assert.ok(links.length > 0, 'the style sheet');
    for (const href of links) assert.equal((await app.call(`~${href}`)).status, 200, href);
  });

  test('mails promise no pages', async () => {
    const json = { login: 'nora', email: 'nora@test.example' };
    const reply = await app.call('/svc/store/v1/registrations', { method: 'POST', json });
    assert.equal(reply.status, 201);
    const key = await app.key('admin', 'read,write');
    const decision = { method: 'POST', key, json: { status: 'accepted' } };
    assert.equal((await app.call(`/registrations/${reply.body.id}/status`, decision)).status, 200);
    for (const { template, text, html } of await outbox(app.site)) {
      assert.doesNotMatch(text + html, /\/app\b|\/apply|\{\{/, template);
    }
  });
});
