/** The folders of PATH that a program started from the desktop gets. Undefined if it is that of the user. */
export function desktopPath(platform: string): readonly string[] | undefined {
  if (platform === "darwin") return ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];
  if (platform === "linux") return ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
  return undefined;
}
