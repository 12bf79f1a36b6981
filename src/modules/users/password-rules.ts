import { invalidParameters } from '../../kernel/call/parameters.ts';
import { ApiError } from '../../kernel/declare/errors.ts';
import type { Site } from '../../kernel/declare/site.ts';
import { siteName } from '../store-profile/index.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts';

/** Why a password is refused. Pages have a sentence for each in every language. */
export const passwordErrors = {
  length: `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
  common: 'is one of the passwords that attackers try first',
  personal: 'must not contain the login, the email address or the name of the site',
  pattern: 'must not be a repetition or a sequence',
} as const;

export type PasswordError = keyof typeof passwordErrors;

/** Throws an error that names the parameter, the reason in words, and the reason for programs. */
export async function requireGoodPassword(
  site: Site,
  password: string,
  owner: PasswordOwner,
  parameter = 'password',
): Promise<void> {
  const error = await findPasswordError(site, password, owner);
  if (error === undefined) return;
  const { definition, message, data } = invalidParameters({ [parameter]: passwordErrors[error] });
  throw new ApiError(definition, { message, data: { ...data, reason: error } });
}

export interface PasswordOwner {
  login: string;
  email: string;
  /** The name of the store, if it is about to change. */
  store?: string;
}

/**
 * The reason why this user may not have this password; undefined if there is none.
 *
 * @internal Exported for its test.
 */
export async function findPasswordError(
  site: Site,
  password: string,
  { login, email, store = site.settings.get(siteName) }: PasswordOwner,
): Promise<PasswordError | undefined> {
  // An emoji is one character, but two units of `length`.
  const isShort = [...password].length < PASSWORD_LENGTH_MIN;
  if (isShort || password.length > PASSWORD_LENGTH_MAX) return 'length';
  const folded = password.normalize('NFKC').toLowerCase();
  if (isPattern(folded)) return 'pattern';
  if (await isCommon(folded)) return 'common';
  const parts = [login, ...partsOf(email), store].map(onlyLettersAndDigits);
  const compact = onlyLettersAndDigits(folded);
  return parts.some((part) => part.length >= PART_MIN && compact.includes(part))
    ? 'personal'
    : undefined;
}

const PART_MIN = 4;

/** `maya.ortiz@mail.store.example`: the local part, and the domain without its last label. */
function partsOf(email: string): string[] {
  const [local = '', domain = ''] = email.split('@');
  return [local, ...domain.split('.').slice(0, -1)];
}

function onlyLettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** The list is loaded with the first password that is set: most processes never need it. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { default: list } = await import('./common-passwords.json', { with: { type: 'json' } });
  return new Set([...list.passwords.split(' '), ...ALSO_COMMON]);
}

/** What the list lacks: our name, the phrase of a well-known picture, and what people put before a year. */
const ALSO_COMMON = [
  'tributary',
  'correcthorsebatterystaple',
  'spring',
  'summer',
  'autumn',
  'winter',
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Also finds `Sunshine2026!` and `p4ssw0rd-2026`: a common password that is merely decorated. */
async function isCommon(folded: string): Promise<boolean> {
  const common = await (commonPasswords ??= loadCommonPasswords());
  const plain = withoutLeet(folded);
  // `Summer2026!Summer`: what stands between the words is decoration as well, unless it is most of the text.
  const letters = folded.replaceAll(/[^\p{L}]/gu, '');
  const isListed = [folded, letters, ...[folded, plain].map(withoutDecoration)].some(
    (word) => common.has(word) && word.length * 2 >= folded.length,
  );
  // A password without letters is more than decoration.
  const bare = withoutDecoration(folded) || folded;
  const words = [bare, withoutLeet(bare)].map(onlyLettersAndDigits);
  if (letters.length * 2 >= folded.length) words.push(letters);
  return isListed || words.some((text) => isMadeOfFew(text, common));
}

/** Attackers combine the passwords that they try first. */
const WORDS_MAX = 2;
const WORD_MIN = 4;
const WORD_MAX = 20;

/** Whether the text is one or two common passwords, however often: `passwordpassword`, `iloveyoumonkey`. */
function isMadeOfFew(text: string, common: ReadonlySet<string>): boolean {
  // The fewest different words that the text up to each position consists of; none is an empty set.
  const made: (ReadonlySet<string> | undefined)[] = [new Set()];
  for (let end = WORD_MIN; end <= text.length; end++) {
    for (let start = Math.max(0, end - WORD_MAX); start <= end - WORD_MIN; start++) {
      const before = made[start];
      const word = text.slice(start, end);
      if (!before || !common.has(word)) continue;
      const words = new Set(before).add(word);
      if (words.size <= WORDS_MAX && words.size < (made[end]?.size ?? Infinity)) made[end] = words;
    }
  }
  return text !== '' && made[text.length] !== undefined;
}

function withoutLeet(word: string): string {
  return word.replaceAll(/[013457@$!]/g, (sign) => LEET[sign] ?? sign);
}

function withoutDecoration(word: string): string {
  return word.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
}

const DISTINCT_MIN = 5;
const UNIT_MAX = 6;
/** Rows of keyboards, the alphabet and the digits. */
const ROWS = ['qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', '01234567890'];

/** Few characters, the same few again and again, or mostly neighbours in a well-known order. */
function isPattern(word: string): boolean {
  if (new Set(word).size < DISTINCT_MIN) return true;
  for (let unit = 1; unit <= UNIT_MAX; unit++) {
    if (
      word ===
      word
        .slice(0, unit)
        .repeat(Math.ceil(word.length / unit))
        .slice(0, word.length)
    ) {
      return true;
    }
  }
  let neighbours = 0;
  for (let i = 1; i < word.length; i++) if (areNeighbours(word[i - 1]!, word[i]!)) neighbours += 1;
  return neighbours >= (word.length - 1) * 0.8;
}

function areNeighbours(one: string, other: string): boolean {
  const isLetterOrDigit = /[\p{L}\p{N}]/u.test(one + other);
  const step = Math.abs(one.charCodeAt(0) - other.charCodeAt(0));
  if (isLetterOrDigit && step <= 1) return true;
  return ROWS.some((row) => row.includes(one + other) || row.includes(other + one));
}
