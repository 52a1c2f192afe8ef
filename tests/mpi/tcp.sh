#!/bin/bash
# Ranks that talk over TCP on the loopback interface instead of shared memory: the same bits, however bodies are shared
# out.
# test: ranks 7
# test: timeout 600
source "$(dirname "$0")/runs.bash"
source "$(dirname "$0")/distribution.bash"
rm -rf ./*-one ./*-[0-9]* ./*.txt   # of an earlier run
moving_load_case 4 8 >load.yaml
pouring_case 5 20 >pour.yaml
raft_case 12 >raft.yaml

steps() { case $1 in pour) echo 45 ;; *) echo 8 ;; esac; }
for name in load pour raft; do piece "$release" 1 $name.yaml $name-one --steps "$(steps $name)"; done

# the launcher for what follows: TCP alone, and the library says what it opens
cat >over_tcp.sh <<END
#!/bin/bash
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_btl_base_verbose=30
exec "$mpirun" "\$@"
END
chmod +x over_tcp.sh
mpirun=$PWD/over_tcp.sh

for job in load-3 pour-3 pour-7 raft-3; do
  name=${job%-*} ranks=${job#*-} log=$job-asked.log
  vary "$name" "$ranks" asked 3 "$(steps "$name")" "$name-one"
  expect "$job: all on TCP" [ "$(grep -c 'btl: tcp: Using interface: lo' "$log")" -eq "$ranks" ]
  expect "$job: connected" grep -q 'btl: tcp: attempting to connect() to' "$log"
  expect "$job: no shared memory" [ "$(grep -cE 'component (vader|sm)' "$log")" -eq 0 ]
done
[ "$failures" -eq 0 ]
