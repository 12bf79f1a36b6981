import { createHash } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { dataFolder } from '../src/installation/data-folder.ts';
import { summaryOf } from './load.ts';
import type { Recorded } from './recorded.ts';

/**
 * Runs the prepared statements of recorded reads with the driver alone, without the service. The
 * parent process sends the statements and starts each round.
 */
interface Opening {
  databaseUrl: string;
  data: string;
  reads: readonly Recorded[];
}

/** The service has as many connections for readers. */
const CONNECTIONS = 3;

type Read = (reader: number) => unknown;

let opening: Promise<Read> | undefined;
process.on('message', (message: Opening | { atOnce: number; ms: number }) => {
  if ('reads' in message) opening = open(message);
  else void measure(message.atOnce, message.ms);
});

async function measure(atOnce: number, ms: number): Promise<void> {
  const read = await opening!;
  const latencies: number[] = [];
  const startedMs = performance.now();
  const drive = async (reader: number) => {
    for (;;) {
      const sentAt = performance.now();
      if (sentAt - startedMs > ms && latencies.length > 0) return;
      await read(reader);
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, reader) => drive(reader)));
  process.send!(summaryOf(latencies, performance.now() - startedMs));
}

function open(given: Opening): Promise<Read> {
  return given.databaseUrl === '' ? openFile(given) : openServer(given);
}

async function openFile({ data, reads }: Opening): Promise<Read> {
  const db = new DatabaseSync(dataFolder(data).databaseFile, { readOnly: true });
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string) => {
    let statement = prepared.get(sql);
    if (!statement) prepared.set(sql, (statement = db.prepare(sql)));
    statement.setReturnArrays(true);
    return statement;
  };
  const runs = reads.map((statements) =>
    statements.map(({ sql, values }) => ({ statement: prepare(sql), values })),
  );
  const next = inTurn(runs);
  return () => {
    for (const { statement, values } of next()) statement.all(...(values as SQLInputValue[]));
  };
}

/** All readers share the connections and pipeline their statements. A reader of a file does not load the driver. */
async function openServer({ databaseUrl, reads }: Opening): Promise<Read> {
  const [{ default: pg }, { connectionOptions }] = await Promise.all([
    import('pg'),
    import('../src/db/postgres/connection.ts'),
  ]);
  const options = connectionOptions(databaseUrl);
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client(options));
  await Promise.all(clients.map((client) => client.connect()));
  const queries = reads.map((statements) =>
    statements.map(({ sql, values }) => {
      const name = createHash('sha256').update(sql).digest('hex').slice(0, 20);
      return { name, text: sql, values, rowMode: 'array' as const };
    }),
  );
  const next = inTurn(queries);
  return (reader) => {
    const client = clients[reader % CONNECTIONS]!;
    return Promise.all(next().map((query) => client.query({ ...query })));
  };
}

function inTurn<T>(items: readonly T[]): () => T {
  let given = 0;
  return () => items[given++ % items.length]!;
}
