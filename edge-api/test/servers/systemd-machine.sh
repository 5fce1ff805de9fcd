#!/bin/sh
# Boots systemd in namespaces with a copy of this machine's files, whose changes stay in memory. It runs the units in the folder $1,
# which is /shared in there. Started by systemd-machine.ts.
set -eu
shared=$1
tree=/sys/fs/cgroup
[ -e $tree/cgroup.controllers ] || tree=$tree/systemd

if [ "${2:-}" != inside ]; then
  group=$tree/portal-test-$$
  mkdir "$group"
  # The namespace shows systemd this group as the root.
  sh -c 'echo $$ > "$0/cgroup.procs" && exec unshare --mount --pid --fork --uts --ipc --net --cgroup --kill-child "$@"' \
    "$group" sh "$0" "$shared" inside || true
  find "$group" -depth -type d -exec rmdir {} \;
  exit
fi

root=$shared/root
mount --make-rprivate /
mkdir "$shared/memory" "$root"
mount -t tmpfs tmpfs "$shared/memory"
mkdir "$shared/memory/changed" "$shared/memory/work"
mount -t overlay overlay -o "lowerdir=/,upperdir=$shared/memory/changed,workdir=$shared/memory/work" "$root"
cd "$root"
mkdir shared before
mount --bind "$shared" shared

mount -t proc proc proc
# As in containers: systemd must not change this machine's kernel.
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
if [ $tree = /sys/fs/cgroup ]; then
  mount -t cgroup2 cgroup sys/fs/cgroup
else
  mount -t tmpfs tmpfs sys/fs/cgroup
  mkdir sys/fs/cgroup/systemd
  mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
fi
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  : > "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/shm dev/pts
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd

# None of this machine's own services.
rm -rf etc/systemd/system/*.wants
cp shared/unit/* etc/systemd/system/
ln -s /dev/null etc/systemd/system/systemd-modules-load.service
tr -d - < /proc/sys/kernel/random/uuid > etc/machine-id

pivot_root . before
umount -l /before
ip link set lo up
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=test.target --show-status=no < /dev/null
