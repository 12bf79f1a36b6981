import deMails from '../../texts/de/mails.json' with { type: 'json' };
import deProgram from '../../texts/de/program.json' with { type: 'json' };
import deRewards from '../../texts/de/rewards.json' with { type: 'json' };
import deServer from '../../texts/de/server.json' with { type: 'json' };
import api from '../../texts/en/api.json' with { type: 'json' };
import enMails from '../../texts/en/mails.json' with { type: 'json' };
import enProgram from '../../texts/en/program.json' with { type: 'json' };
import enRewards from '../../texts/en/rewards.json' with { type: 'json' };
import enServer from '../../texts/en/server.json' with { type: 'json' };
import esMails from '../../texts/es/mails.json' with { type: 'json' };
import esProgram from '../../texts/es/program.json' with { type: 'json' };
import esRewards from '../../texts/es/rewards.json' with { type: 'json' };
import esServer from '../../texts/es/server.json' with { type: 'json' };
import frMails from '../../texts/fr/mails.json' with { type: 'json' };
import frProgram from '../../texts/fr/program.json' with { type: 'json' };
import frRewards from '../../texts/fr/rewards.json' with { type: 'json' };
import frServer from '../../texts/fr/server.json' with { type: 'json' };
import ptMails from '../../texts/pt/mails.json' with { type: 'json' };
import ptProgram from '../../texts/pt/program.json' with { type: 'json' };
import ptRewards from '../../texts/pt/rewards.json' with { type: 'json' };
import ptServer from '../../texts/pt/server.json' with { type: 'json' };
import type { Language } from './languages.ts';

/** The files of `texts/<language>` that the server uses. The other files belong to the web app. */
interface Areas {
  /** The API is in English only. */
  readonly api: typeof api;
  readonly mails: typeof enMails;
  readonly program: typeof enProgram;
  readonly rewards: typeof enRewards;
  readonly server: typeof enServer;
}

export type TextKey = { [A in keyof Areas]: `${A}.${keyof Areas[A] & string}` }[keyof Areas];

const catalogue: Readonly<Record<Language, Areas>> = {
  de: { api, mails: deMails, program: deProgram, rewards: deRewards, server: deServer },
  en: { api, mails: enMails, program: enProgram, rewards: enRewards, server: enServer },
  es: { api, mails: esMails, program: esProgram, rewards: esRewards, server: esServer },
  fr: { api, mails: frMails, program: frProgram, rewards: frRewards, server: frServer },
  pt: { api, mails: ptMails, program: ptProgram, rewards: ptRewards, server: ptServer },
};

/** The text with this key, with its `{placeholders}` replaced. */
export function textIn(
  language: Language,
  key: TextKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return findText(language, key)!.replaceAll(/\{(\w+)\}/g, (hole, name: string) =>
    String(values[name] ?? hole),
  );
}

/** For keys that come from data. */
export function findText(language: Language, key: string): string | undefined {
  const dot = key.indexOf('.');
  const area: Readonly<Record<string, string>> | undefined =
    // An unknown area has no texts.
    catalogue[language][key.slice(0, dot) as keyof Areas];
  return area?.[key.slice(dot + 1)];
}
