import asyncio, time
from tests.visitor import Visitor, Gone
from tests.cluster.conftest import Cluster
S="reflex___state____state.advisory_site___enquiries___state____contact_state"
def test_x(cluster: Cluster):
    async def main():
        v=Visitor(cluster.url, "203.0.113.5"); await v.connect()
        await v.send(S+".load","/contact"); sid=await v.until("contact_state.submission_id"); print("sid",sid, v.token)
        t=v.token
        a=[b for b in cluster.backends]
        a[0].kill()
        t0=time.time()
        await asyncio.sleep(.5)
        print("lost?", v.lost_at)
        if v.lost_at is None:
            a[0].start(); a[0].wait(); a[1].kill(); await asyncio.sleep(.5); print("lost?", v.lost_at)
        for i in range(50):
            try: await v.connect(); break
            except Gone as e: print(e); await asyncio.sleep(.2)
        await asyncio.sleep(.5)
        print("token same", v.token==t)
        v.vars.clear()
        await v.send(S+".load","/contact"); await asyncio.sleep(1); print(sorted(v.vars))
        # redis
        cluster.redis.kill()
        t0=time.time()
        await v.send(S+".send","/contact",form_data={"firstName":"Ann","lastName":"Lee","email":"ann@example.com","message":"Hello"})
        for i in range(20):
            await asyncio.sleep(.5); print(round(time.time()-t0,1), v.lost_at, {k:x for k,x in v.vars.items() if "sent" in k or "notice" in k})
            if i==8: cluster.redis.start(); print("redis started")
        await v.send(S+".load","/contact"); await asyncio.sleep(1); print(sorted(v.vars))
    asyncio.run(main())
    for b in cluster.backends: print(b.log[-6000:])
