/** An address that no page may be fetched from, and what a name in it resolves to. */
export interface HostileAddress {
  readonly url: string;
  readonly resolves?: readonly string[];
}

const plain = (...urls: readonly string[]): HostileAddress[] => urls.map((url) => ({ url }));
const resolving = (...pairs: readonly (readonly [string, ...string[]])[]): HostileAddress[] =>
  pairs.map(([url, ...resolves]) => ({ url, resolves }));

/** Every second one of a list that was written before the guard; the other half was first run when it was complete. */
export const hostileAddresses: readonly HostileAddress[] = [
  ...plain(
    'http://127.0.0.1/',
    'http://localhost/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0/',
    'http://10.0.0.8/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://printer.local/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127.0.0.1.:80/',
    'http://user:secret@example.com/',
    'http://example.com@127.0.0.1/',
    'ftp://example.com/file.txt',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://example.com:22/',
    'http://example.com:6379/',
    'http://224.0.0.1/',
    'http://198.18.0.1/',
  ),
  ...resolving(
    ['http://internal.example.com/', '10.1.2.3'],
    ['http://mixed.example.com/', '93.184.215.14', '127.0.0.1'],
    ['http://six.example.com/', '::ffff:10.0.0.1'],
    ['https://nat.example.com/', '64:ff9b::a00:1'],
    ['http://zone.example.com/', 'fe80::1%eth0'],
    ['http://empty.example.com/'],
  ),
];

export const heldOutAddresses: readonly HostileAddress[] = [
  ...plain(
    'http://127.1/',
    'http://app.localhost:8080/',
    'http://017700000001/',
    'http://0x7f000001/',
    'http://0.0.0.0:8080/',
    'http://172.31.255.254/',
    'http://100.64.0.1/',
    'http://168.63.129.16/metadata/instance',
    'http://[::]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
    'http://[fec0::1]/',
    'http://[::127.0.0.1]/',
    'http://192.0.0.192/opc/v2/',
    'http://instance-data.ec2.internal/',
    'http://router.home.arpa/',
    'http://127。0。0。1/',
    'http://LOCALHOST./',
    'https://:token@example.com/',
    'http://[::1]:80\\@example.com/',
    'data:text/html,hello',
    'blob:https://example.com/1',
    'vscode://extension/command',
    'http://example.com:25/',
    'http://example.com:11211/',
    'http://255.255.255.255/',
    'http://[ff02::1]/',
    'http://intranet/',
    'http://0177.0x0.1/',
    'http://[2001:db8::5efe:7f00:1]/',
    'http://[::ffff:0:127.0.0.1]/',
  ),
  ...resolving(
    ['http://loop.example.com/', '127.0.0.53'],
    ['http://both.example.com/', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'fc00::1'],
    ['http://cloud.example.com/', '169.254.169.254'],
    ['http://azure.example.com/', '168.63.129.16'],
    ['https://six2four.example.com/', '2002:a00:1::1'],
    ['https://isatap.example.com/', '2a00:1450:4001::5efe:a00:1'],
    ['https://garbage.example.com/', 'not-an-address'],
    ['http://zero.example.com/', '0.0.0.0'],
  ),
];

export const publicAddresses: readonly HostileAddress[] = resolving(
  ['https://example.com/page?x=1#part', '93.184.215.14'],
  ['http://example.org/', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '93.184.215.14'],
  ['https://8.8.8.8/', '8.8.8.8'],
  ['https://[2606:4700:4700::1111]/', '2606:4700:4700::1111'],
  ['https://example.com:443/', '93.184.215.14'],
  ['http://example.com:8080/docs', '93.184.215.14'],
  ['https://中文.example.com/', '93.184.215.14'],
  ['https://local.example.com/', '172.15.0.1'],
);
