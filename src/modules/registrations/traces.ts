import type { Site } from '../../kernel/declare/site.ts';
import { foldAddress } from '../../shared/email-address.ts';

/** Values by which applications of one person under several names are found. */
export interface Traces {
  mail_pattern: string;
  mail_domain: string;
  website_place: string;
}

export function tracesOf(email: string, website: string): Traces {
  const { name, domain } = partsOf(email);
  return {
    mail_pattern: patternOf(name, domain),
    mail_domain: isLargeProvider(domain) ? '' : domain,
    website_place: placeOf(website),
  };
}

/** Only equality matters, so the address itself is not stored. */
export function networkHashOf({ keyring }: Site, network: string): string {
  return keyring.hash('application network', network);
}

const GMAIL = new Set(['gmail.com', 'googlemail.com']);
/** A shorter name says little: many people have an address like jo1@. */
const LETTERS_MIN = 4;

/** The same for `ann.lee+x@`, `annlee7@` and `ann-lee@` of one domain. */
function patternOf(name: string, domain: string): string {
  const letters = name.replaceAll(/[\d._-]/g, '');
  const rest = [...letters].length >= LETTERS_MIN ? letters : name;
  return `${rest}@${canonical(domain)}`;
}

function partsOf(email: string): { name: string; domain: string } {
  const [local = '', domain = ''] = foldAddress(email).split('@');
  return { name: local.split('+')[0]!, domain };
}

function canonical(domain: string): string {
  return GMAIL.has(domain) ? 'gmail.com' : domain;
}

/** Sites on which the path names the owner of a page. */
const SHARED_HOSTS = new Set(
  (
    'instagram.com tiktok.com youtube.com facebook.com x.com twitter.com twitch.tv pinterest.com linkedin.com ' +
    'threads.net reddit.com medium.com t.me linktr.ee beacons.ai patreon.com substack.com github.com sites.google.com'
  ).split(' '),
);

function placeOf(website: string): string {
  if (!URL.canParse(website)) return '';
  const { hostname, pathname } = new URL(website.toLowerCase());
  const host = hostname.replace(/^(www|m)\./, '');
  return SHARED_HOSTS.has(host) ? host + pathname.replace(/\/+$/, '') : host;
}

/** Providers whose domain says nothing about the owner of an address. */
const PROVIDERS = new Set(
  (
    'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com aol.com mail.com ' +
    'proton.me protonmail.com pm.me fastmail.com hey.com tuta.com tutanota.com zoho.com yandex.com yandex.ru mail.ru ' +
    'gmx.net gmx.de gmx.at gmx.ch gmx.com web.de t-online.de freenet.de posteo.de mailbox.org bluewin.ch ' +
    'orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it uol.com.br bol.com.br terra.com.br ' +
    'sapo.pt telefonica.net comcast.net verizon.net att.net btinternet.com sky.com qq.com 163.com 126.com naver.com'
  ).split(' '),
);
/** `yahoo.co.uk`, `hotmail.fr`: the same provider in many countries. */
const PROVIDER_FAMILIES = /^(yahoo|ymail|hotmail|live|outlook)\.[a-z]{2,3}(\.[a-z]{2})?$/;

function isLargeProvider(domain: string): boolean {
  return PROVIDERS.has(domain) || PROVIDER_FAMILIES.test(domain);
}
