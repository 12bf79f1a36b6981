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
import { languages, type Language } from './languages.ts';

/** The files of `texts/<language>` that the server uses. The other files belong to the web app. */
type Areas = {
  /** The API is in English only. */
  readonly api: typeof api;
  readonly mails: typeof enMails;
  readonly program: typeof enProgram;
  readonly rewards: typeof enRewards;
  readonly server: typeof enServer;
};

/**
 * By the name of each add-on, the type of its `texts/en.json`, which it merges into this where it also adds them. It may have areas
 * of the server, and parts of the web app, which this does not use.
 */
export interface AddonTexts {}

type KeyIn<T> = { [A in keyof T & keyof Areas]: `${A}.${keyof T[A] & string}` }[keyof T &
  keyof Areas];
export type TextKey =
  | KeyIn<Areas>
  | { [A in keyof AddonTexts]: KeyIn<AddonTexts[A]> }[keyof AddonTexts];

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const own: Readonly<Record<Language, Areas>> = {
  de: { api, mails: deMails, program: deProgram, rewards: deRewards, server: deServer },
  en: { api, mails: enMails, program: enProgram, rewards: enRewards, server: enServer },
  es: { api, mails: esMails, program: esProgram, rewards: esRewards, server: esServer },
  fr: { api, mails: frMails, program: frProgram, rewards: frRewards, server: frServer },
  pt: { api, mails: ptMails, program: ptProgram, rewards: ptRewards, server: ptServer },
};

const catalogue: Record<Language, Texts> = { ...own };

/** Adds the texts of an add-on, or of an extension, which has English at least. */
export function addTexts(added: Partial<Record<Language, Texts>> & { readonly en: Texts }): void {
  for (const language of languages) {
    const all: Record<string, Texts[string]> = { ...catalogue[language] };
    for (const [area, texts] of Object.entries(added[language] ?? added.en)) {
      all[area] = { ...all[area], ...texts };
    }
    catalogue[language] = all;
  }
}

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
  return catalogue[language][key.slice(0, dot)]?.[key.slice(dot + 1)];
}
