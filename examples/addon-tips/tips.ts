import {
  contribute,
  defineCommand,
  defineMetrics,
  defineModule,
  defineSetting,
  gauge,
  invoke,
  personalData,
  personErasures,
  textTable,
  Type,
  type CommandGroup,
  type Extension,
  type Job,
  type ModuleScreen,
  type PersonalData,
  type PersonErasure,
} from 'tributary-affiliates/extension';
import { createTip, listTips, tipCreated } from './tip-operations.ts';
import { countTips, removeTipsBefore, removeTipsOf, tipsOf } from './tip-rows.ts';
import { migrations } from './tips-table.ts';

const DAY_MS = 24 * 60 * 60_000;

const keepDays = defineSetting(
  'tips.keep_days',
  Type.Integer({ minimum: 1, maximum: 3650 }),
  90,
  'After how many days a tip is deleted.',
);

const pruneTips: Job = {
  name: 'tips.prune',
  everyMs: DAY_MS,
  runsOn: 'one',
  async run({ database, settings, clock }) {
    const oldestMs = clock() - settings.get(keepDays) * DAY_MS;
    await database.transaction((tx) => removeTipsBefore(tx, oldestMs));
  },
};

const tipMetrics = defineMetrics(
  { stored: gauge('tributary_tips', 'Tips that are stored.') },
  async ({ database }) => ({ stored: await countTips(database.read) }),
);

const tipsInExport: PersonalData = {
  section: 'tips',
  read: async (db, { calendar }, user) =>
    (await tipsOf(db, user.id)).map(({ note, created_at }) => ({
      note,
      created_at: calendar.toLocal(created_at),
    })),
};

const tipsErasure: PersonErasure = {
  erase: (tx, { user }) => removeTipsOf(tx, user.id),
};

const tipsScreen: ModuleScreen = {
  name: 'tips',
  labels: { en: 'Tips', de: 'Tipps', es: 'Consejos', fr: 'Conseils', pt: 'Dicas' },
  script: new URL('./tips-screen.js', import.meta.url),
  group: 'reach',
};

const tipsModule = defineModule({
  name: 'tips',
  summary: 'Tips for affiliates',
  addon: true,
  operations: [createTip, listTips],
  events: [tipCreated],
  settings: [keepDays],
  jobs: [pruneTips],
  metrics: [tipMetrics],
  migrations,
  screens: [tipsScreen],
  contributions: [contribute(personalData, tipsInExport), contribute(personErasures, tipsErasure)],
});

const tipCommands: CommandGroup = {
  name: 'tips',
  description: 'tips for affiliates',
  commands: [
    defineCommand({
      name: 'list',
      description: 'list the newest tips',
      run: (context) =>
        context.withSite(async (site) => {
          const tips = await invoke(site, listTips);
          const rows = tips.map((tip) => [String(tip.id), String(tip.user_id), tip.note]);
          context.print(tips, () => textTable(['id', 'user', 'note'], rows));
        }),
    }),
  ],
};

const extension: Extension = { name: 'tips', modules: [tipsModule], commands: [tipCommands] };

export default extension;
