// Takes the place of @vscode/spdlog in the served editor. The original is a native module, which the installation without
// install scripts does not build; without any, the editor and its extensions write no log. Levels are those of spdlog:
// 0 trace, 1 debug, 2 info, 3 warning, 4 error, 5 critical, 6 off. Files do not rotate: a server lives for days at most.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
let general = 2;

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = general;
    this.plain = false;
  }
  write(level, text) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    const line = this.plain ? text : `${time} [${names[level]}] ${text}\n`;
    try {
      fs.appendFileSync(this.file, line);
    } catch {
      // A folder that is gone must not end the editor.
    }
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  /** Without formatters a message is written as it is, its line end included. */
  clearFormatters() {
    this.plain = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}
for (const [level, method] of ['trace', 'debug', 'info', 'warn', 'error', 'critical'].entries())
  Logger.prototype[method] = function log(text) {
    this.write(level, text);
  };

async function createLogger(name, file) {
  await fs.promises.mkdir(path.dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}

// The editor imports these by name, so each is assigned where Node's look at a CommonJS file finds it.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = (level) => void (general = level);
exports.setFlushOn = () => {};
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
