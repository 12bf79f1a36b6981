import type { Engine, Store } from './engine.ts';
import { options } from './options.ts';
import { findPgbench, pgbench, scriptOf } from './pgbench.ts';
import type { PreparedRead } from './read-paths.ts';
import { get, requestBytes } from './request.ts';
import type { Line } from './result.ts';
import { startBareReader, startFloor, type BareReader, type Running } from './service.ts';
import { inTurns, requesting, withCpu, type Contestant, type Round } from './turns.ts';

/** One read on one database. */
export interface Subject {
  engine: Engine;
  store: Store;
  service: Running;
  read: PreparedRead;
  /** Also measured with pgbench: one read only, because it takes another round. */
  byPgbench?: boolean;
}

type Measured = Omit<Line, 'area' | 'operation'>;

/** Enough clients to keep the server busy without pipelining. */
const PGBENCH_CLIENTS = 16;
const noServer = () => Number.NaN;

/** Measures a read on each database, alternating with the bare server and the bare driver. */
export async function measureRead(subjects: readonly Subject[]): Promise<Measured[]> {
  const floors = new Floors();
  const bare: BareReader[] = [];
  const contestants: Record<string, Contestant> = {};
  const bareServers = await Promise.all(
    subjects.map(({ service, store, read }) => floors.of(service, store.token, read[0]!.path)),
  );
  for (const [i, { engine, store, service, read, byPgbench }] of subjects.entries()) {
    const requests = requestsFor(store, read);
    const floor = bareServers[i]!;
    contestants[`service ${i}`] = () =>
      withCpu(
        service.pid,
        () => engine.serverCpuMs(),
        () => requesting(service, requests),
      );
    contestants[floor.name] = () =>
      withCpu(floor.running.pid, noServer, () => requesting(floor.running, requests));
    if (read.some(({ statements }) => statements.length > 0)) {
      const reader = startBareReader(
        store,
        read.map(({ statements }) => statements),
      );
      bare.push(reader);
      contestants[`sql ${i}`] = () => reader.read(options.connections, options.ms / 2);
    }
    if (byPgbench) addPgbench(contestants, `pgbench ${i}`, subjects[i]!);
  }
  const medians: Record<string, Round> = await inTurns(contestants);
  await Promise.all([...(await floors.all()), ...bare].map((running) => running.stop()));
  return subjects.map((subject, i) => {
    const http = medians[floors.nameFor(subject.service)]!;
    return {
      ...lineOf(subject, medians[`service ${i}`]!),
      http: http.perSecond,
      httpCpuUs: http.cpuUs,
      sql: medians[`sql ${i}`]?.perSecond,
      pgbench: medians[`pgbench ${i}`]?.perSecond,
    };
  });
}

/** Measures only the service, to see how its cost grows. */
export async function measureCost(subjects: readonly Subject[]): Promise<Measured[]> {
  const contestants: Record<string, Contestant> = {};
  for (const [i, { engine, store, service, read }] of subjects.entries()) {
    const requests = requestsFor(store, read);
    contestants[`service ${i}`] = () =>
      withCpu(
        service.pid,
        () => engine.serverCpuMs(),
        () => requesting(service, requests),
      );
  }
  const medians: Record<string, Round> = await inTurns(contestants);
  return subjects.map((subject, i) => lineOf(subject, medians[`service ${i}`]!));
}

function requestsFor(store: Store, read: PreparedRead): Buffer[] {
  return read.map(({ path }) => requestBytes(store.token, 'GET', path));
}

function lineOf({ engine, store }: Subject, round: Round): Measured {
  const { perSecond, p50Ms, p99Ms, cpuUs, serverCpuUs } = round;
  const { name: database } = engine;
  return { database, orders: store.orders, perSecond, p50Ms, p99Ms, cpuUs, serverCpuUs };
}

function addPgbench(
  contestants: Record<string, Contestant>,
  name: string,
  { store, read }: Subject,
): void {
  const program = findPgbench();
  if (program === undefined) return;
  const script = scriptOf(read[0]!.statements, Number.NaN);
  // pgbench takes whole seconds.
  const run = { databaseUrl: store.databaseUrl, script, clients: PGBENCH_CLIENTS, seconds: 1 };
  contestants[name] = async () => ({ perSecond: await pgbench(program, run) });
}

/** Starts bare servers; one is enough if the responses of all databases are the same. */
class Floors {
  readonly #byAnswer = new Map<string, { name: string; starting: Promise<Running> }>();
  readonly #names = new Map<Running, string>();

  async of(
    service: Running,
    token: string,
    path: string,
  ): Promise<{ name: string; running: Running }> {
    const answer = await get(service.port, token, path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
    const key = JSON.stringify([answer.status, answer.body]);
    let floor = this.#byAnswer.get(key);
    if (!floor) {
      floor = { name: `http ${this.#byAnswer.size}`, starting: startFloor(answer) };
      this.#byAnswer.set(key, floor);
    }
    this.#names.set(service, floor.name);
    return { name: floor.name, running: await floor.starting };
  }

  nameFor(service: Running): string {
    return this.#names.get(service)!;
  }

  all(): Promise<Running[]> {
    return Promise.all([...this.#byAnswer.values()].map(({ starting }) => starting));
  }
}
