import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { databaseVariables } from '../process/installation-database.ts';
import { collect, launchNode, tempFolder } from '../process/launch.ts';
import { paste } from '../process/paste.ts';
import { run } from '../process/run.ts';
import { serverOf, type Server } from '../process/running-server.ts';

const project = join(import.meta.dirname, '../..');

/** Copies the committed files, as a clone has them, links the installed packages, and builds like `npm ci`. */
function freshClone(): string {
  const clone = join(tempFolder(), 'tributary');
  execFileSync('git', ['clone', '--quiet', project, clone], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  symlinkSync(join(project, 'node_modules'), join(clone, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.js'], { cwd: clone });
  return clone;
}

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('from a fresh clone to the first commission', { concurrency: 1 }, () => {
  let clone: string;
  let server: Server;
  let env: Record<string, string>;
  let link: URL;
  let welcome: string;
  const command = (...args: string[]) =>
    run(args, { cwd: clone, env, program: join(clone, 'bin/tributary.js') });
  const setupPath = () => `~${link.pathname}${link.search}`;

  before(async () => {
    clone = freshClone();
    env = await databaseVariables([], clone);
    const child = launchNode(['npm', 'start', '--', '--port', '0'], {
      cwd: clone,
      env,
      ownGroup: true,
    });
    server = await serverOf(child, collect(child), join(clone, 'data'));
  });

  test('npm start says where it is and what comes next', () => {
    const { stdout } = server.output;
    link = new URL(/https:\S+\/setup\?token=\S+/.exec(stdout)![0]);
    assert.equal(link.origin, server.url);
    assert.match(stdout, /Next: open this link within 30 minutes/);
  });

  test('without the link the setup says where it is, and a command prints a new one', async () => {
    const { status, text } = await server.call('~/setup');
    assert.equal(status, 410);
    assert.match(text, /\.\/tributary setup/);
    const { code, stdout, stderr } = await command('setup');
    assert.equal(code, 0, stderr);
    const fresh = new URL(/https:\S+/.exec(stdout)![0]);
    assert.equal(fresh.origin, server.url, 'with the port that the service listens on');
    assert.equal((await server.call(setupPath())).status, 410, 'the old link has ended');
    link = fresh;
  });

  test('four short pages are filled in, and the fifth shows a key', async () => {
    const form = await server.call(setupPath());
    assert.equal(form.status, 200);
    const token = link.searchParams.get('token')!;
    let cookie = '';
    for (const fields of [
      { step: 'store', store_name: "Kaito's Tea", store_url: 'https://tea.example' },
      { step: 'money', currency: 'JPY', timezone: 'Asia/Tokyo' },
      { step: 'commission', percent: '10', cookie_days: '30', hold_days: '0' },
    ]) {
      const { status, headers } = await server.call('~/setup/step', {
        method: 'POST',
        form: { token, ...fields },
        headers: { cookie },
      });
      assert.equal(status, 303);
      cookie = headers['set-cookie']![0]!.split(';')[0]!;
    }
    const reply = await server.call('~/setup', {
      method: 'POST',
      form: {
        token,
        login: 'kaito',
        email: 'kaito@tea.example',
        password: 'correct horse battery',
      },
      headers: { cookie },
    });
    assert.equal(reply.status, 200, reply.text);
    welcome = reply.text;
    assert.match(welcome, /Your store is set up/);
  });

  test('its lines work as pasted: an affiliate, an order, the commission', async () => {
    const lines = [...welcome.matchAll(/<code>(curl [^<]+)<\/code>/g)].map(([, line]) =>
      unescaped(line!),
    );
    assert.equal(lines.length, 3);
    const [affiliate, order, coupons] = [
      await paste(lines[0]!, server),
      await paste(lines[1]!, server),
      await paste(lines[2]!, server),
    ];
    assert.equal(affiliate.status, 201, affiliate.text);
    assert.equal(order.status, 201, order.text);
    assert.equal(JSON.parse(order.text).currency, 'JPY');
    assert.equal(coupons.status, 200, coupons.text);
    const [coupon] = JSON.parse(coupons.text) as { unpaid_commission: number }[];
    assert.ok(coupon!.unpaid_commission > 0, coupons.text);
    assert.ok(Number.isInteger(coupon!.unpaid_commission), 'yen have no decimals');
  });

  test('a key from the command line comes with a line that works as pasted', async () => {
    const { code, stdout, stderr } = await command('keys', 'create', '--user', 'kaito');
    assert.equal(code, 0, stderr);
    const line = /^curl .*$/m.exec(stdout)![0];
    const me = await paste(line, server);
    assert.equal(me.status, 200, me.text);
    assert.equal(JSON.parse(me.text).user.login, 'kaito');
  });

  test('now the setup is over, for the page and for the command', async () => {
    assert.match((await server.call(setupPath())).text, /Setup is done/);
    const refused = await command('setup');
    assert.equal(refused.code, 4);
    assert.match(refused.stderr, /There is already an administrator/);
  });

  test('SIGTERM to npm ends it, and the next start finds the store', async () => {
    assert.equal((await server.stop()).code, 0);
    const { stdout } = await command('settings', 'get', 'site.currency');
    assert.equal(stdout.trim(), 'JPY');
  });
});
