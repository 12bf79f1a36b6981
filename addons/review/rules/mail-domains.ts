import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import providers from 'email-providers/all.json' with { type: 'json' };

/** Both lists are large, and most stores never need them. */
let throwaway: ReadonlySet<string> | undefined;
let publicDomains: ReadonlySet<string> | undefined;

/** Names that are reserved for tests and documentation: they say nothing about people. */
const RESERVED = /(?:^|\.)(?:example|test|invalid|localhost)(?:\.[a-z]{2,3})?$/;

/** All domains of throw-away mailboxes. */
export function throwawayDomains(own: readonly string[]): string[] {
  throwaway ??= disposableEmailBlocklistSet();
  return [...throwaway, ...own.map((one) => one.toLowerCase())];
}

/** Whether mailboxes at a domain are thrown away after use. */
export function isThrowaway(domain: string, own: readonly string[]): boolean {
  throwaway ??= disposableEmailBlocklistSet();
  return throwaway.has(domain) || isAmong(domain, own);
}

/** Whether anyone can have a mailbox at a domain, so that two people there need not know each other. */
export function isPublicDomain(domain: string, own: readonly string[]): boolean {
  publicDomains ??= new Set(providers);
  return (
    RESERVED.test(domain) ||
    publicDomains.has(domain) ||
    isThrowaway(domain, []) ||
    isAmong(domain, own)
  );
}

function isAmong(domain: string, own: readonly string[]): boolean {
  return own.some((one) => one.toLowerCase() === domain);
}
