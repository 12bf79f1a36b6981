import { isTimeZone } from './dates.ts';
import { readSender } from './email-address.ts';
import { isCurrencyCode } from './money.ts';

// Functions that parse and check configuration values. The message of each error completes the sentence
// "TRIBUTARY_X must …".

export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new Error('not be empty');
  return text;
}

export function integerBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new Error(`be a whole number from ${least} to ${most}`);
    }
    return value;
  };
}

export function oneOf<const T extends string>(...words: T[]): (text: string) => T {
  return (text) => {
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw new Error(`be one of ${words.join(', ')}`);
    return word;
  };
}

export function webAddress(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  const plain = url && !url.username && !url.search && !url.hash && url.pathname === '/';
  if (!plain || !/^https?:$/.test(url.protocol)) {
    throw new Error('be an address like https://affiliates.example.com, without a path');
  }
  return url.origin;
}

export function mailServer(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  const plain = url?.hostname && !url.search && !url.hash && /^\/?$/.test(url.pathname);
  if (!plain || !/^smtps?:$/.test(url.protocol) || !isDecodable(url.username + url.password)) {
    throw new Error('be an address like smtp://user:password@mail.example.com:587');
  }
  return text;
}

export function redisAddress(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  const plain = url?.hostname && !url.search && !url.hash && /^\/?\d*$/.test(url.pathname);
  if (!plain || !/^rediss?:$/.test(url.protocol) || !isDecodable(url.username + url.password)) {
    throw new Error('be an address like redis://user:password@host:6379, or rediss:// for TLS');
  }
  return text;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function mailSender(text: string): string {
  if (text !== '' && !readSender(text)) {
    throw new Error(
      'be an email address like affiliates@store.example, or a name with one: Our Store <affiliates@store.example>',
    );
  }
  return text;
}

/** Credentials are sent to this address, so it must be encrypted or on this machine. */
export function safeAddress(text: string): string {
  const origin = webAddress(nonEmpty(text));
  const { protocol, hostname } = new URL(origin);
  if (protocol !== 'https:' && !['127.0.0.1', '[::1]', 'localhost'].includes(hostname)) {
    throw new Error('be an https address, unless it is on this machine');
  }
  return origin;
}

export function visibleText(text: string): string {
  if (!/^[!-~]{0,500}$/.test(text)) {
    throw new Error('be up to 500 visible characters without spaces');
  }
  return text;
}

/** A token of at least 16 characters, which cannot be guessed; empty for none. */
export function longToken(text: string): string {
  if (!/^(?:[!-~]{16,500})?$/.test(text)) {
    throw new Error('be 16 to 500 visible characters without spaces');
  }
  return text;
}

export function timeZone(text: string): string {
  if (text !== '' && !isTimeZone(text)) throw new Error('be a time zone like Europe/Berlin');
  return text;
}

export function currencyCode(text: string): string {
  if (text !== '' && !isCurrencyCode(text)) {
    throw new Error('be a currency code like EUR');
  }
  return text;
}
