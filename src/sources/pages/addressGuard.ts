import ipaddr from 'ipaddr.js';
import { type ErrorDetails, type ErrorReason, ResearchError } from '../../research/errors.ts';

/** Names that are never public: RFC 6761 and 6762, RFC 8375, ICANN's `.internal`, and what home routers use. */
const privateNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa|intranet|lan|corp|home|test|invalid)$/;
/** Ports of web servers. Others belong to services that a request must not reach. */
const webPorts = new Set(['', '80', '443', '8080', '8443']);
/** Azure's wire server: public by range, and answered by the machine's own host. */
const metadataAddress = '168.63.129.16';
/** 2000::/3 is all that IANA has given out for global unicast. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** 3fff::/20, documentation (RFC 9637). */
const documentation = ipaddr.parseCIDR('3fff::/20') as [ipaddr.IPv6, number];

/** Whether a literal address is one of the public internet. False for anything that is no address. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return address.toString() !== metadataAddress;
  const six = address as ipaddr.IPv6;
  return six.match(globalUnicast) && !six.match(documentation) && !isIsatap(six);
}

/** ISATAP carries an IPv4 address, private ones too, in the last half (RFC 5214, 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe;
}

/** The host of an address as a name or literal: no brackets, no dot at the end. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Addresses that a user has opened: `network.allowPrivateHosts`, entries of the form `host:port`. */
export class AllowedHosts {
  readonly #places: ReadonlySet<string>;

  constructor(entries: readonly string[]) {
    this.#places = new Set(entries.map((entry) => entry.trim().toLowerCase()));
  }

  has(url: URL): boolean {
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return this.#places.has(`${url.hostname.toLowerCase()}:${port}`);
  }
}

/**
 * Checks an address before its name is looked up. Rejects by throwing `badRequest`: another scheme, credentials, a port of no web
 * server, a literal address or a name that is not public.
 */
export function checkAddress(url: URL, allowed: AllowedHosts): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(url, 'only http and https addresses are opened');
  if (url.username !== '' || url.password !== '') throw refused(url, 'it contains a user name or password');
  if (allowed.has(url)) return;
  if (!webPorts.has(url.port)) throw refused(url, `port ${url.port} is not one of a web server`);
  const host = hostOf(url);
  const isLiteral = ipaddr.isValid(host);
  const isPublic = isLiteral ? isPublicAddress(host) : host.includes('.') && !privateNames.test(host);
  if (!isPublic) throw refused(url, privateReason);
}

/** Checks what a name resolved to. All of it must be public: which one is connected to is not known yet. */
export function checkResolved(url: URL, addresses: readonly string[], allowed: AllowedHosts): void {
  if (allowed.has(url)) return;
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw refused(url, privateReason);
}

/** The error for a page that can't be had. */
export function pageError(reason: ErrorReason, { origin }: URL, message: string, more?: ErrorDetails): ResearchError {
  return new ResearchError(reason, message, { origin, next: 'Use another page.', ...more });
}

const privateReason = 'it belongs to this machine or a private network';

function refused(url: URL, why: string): ResearchError {
  const place = `${url.protocol}//${url.host}`.slice(0, 100);
  return new ResearchError('badRequest', `The address ${place} is not opened: ${why}.`, {
    refusal: 'notOpened',
    next: why === privateReason ? 'Use a public page, or add it to network.allowPrivateHosts.' : 'Use another address.',
  });
}
